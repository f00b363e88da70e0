import type { PageConfig } from 'next'
import FallbackPage from './_error'

export const config: PageConfig = { unstable_runtimeJS: false }

/**
 * Rendered to a file at build time, so that it can be served while rendering fails. It is also the one
 * page proper that Next wants to see before it compiles `_error` and `_document`.
 */
export default function InternalServerError() {
  return <FallbackPage statusCode={500} />
}
