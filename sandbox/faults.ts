/** A trouble that the service makes on purpose. */
export interface FaultRule {
	endpoint: 'create' | 'update' | 'validate' | 'register' | 'any';
	kind: string;
}
