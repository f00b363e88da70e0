import type { ApiResponse } from '#api/endpoints'

/** The form that every failure of the management API has. */
export function failure(status: number, code: string, message: string): ApiResponse {
  return { status, body: { error: { code, message } } }
}
