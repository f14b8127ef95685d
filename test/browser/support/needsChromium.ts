import { needs } from '../../e2e/support/needs';

needs('chromium');
