import type { ApiResponse } from '#api/endpoints'

/** Formats a failure of the management API. */
export function failure(status: number, code: string, message: string): ApiResponse {
  return { status, body: { error: { code, message } } }
}
