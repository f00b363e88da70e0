import { jsonResponse } from '../../internal/responses'
import type { WireResponse } from '../../dialect'

/** An error, with the protocol's own code. */
export interface OfrepFailure {
  key?: string
  errorCode: 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL'
  errorDetails: string
}

export const failureResponse = (status: number, body: OfrepFailure): WireResponse =>
  jsonResponse(status, body)
