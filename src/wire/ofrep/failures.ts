import { json } from '../answers'
import type { WireAnswer } from '../dialect'

/** What is wrong, by the protocol's own names for it. */
export interface Failure {
  key?: string
  errorCode: 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL'
  errorDetails: string
}

export const failure = (status: number, said: Failure): WireAnswer => json(status, said)
