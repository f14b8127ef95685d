import path from 'node:path';

/** The root folder of the project. */
export const projectRoot = path.resolve(__dirname, '..', '..');
