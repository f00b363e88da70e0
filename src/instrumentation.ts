import type { Instrumentation } from 'next'
import { getFailures, getLog } from '#app/product'

/** Logs the error of a failed page with the digest that the visitor sees. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  const digest = digestOf(error)
  if (digest !== undefined) getFailures().note(digest, error, new Date())
  getLog().error(
    {
      err: error,
      digest,
      requestId: request.headers['x-request-id'],
      method: request.method,
      path: withoutQuestion(request.path),
      route: context.routePath,
      routeType: context.routeType,
    },
    'a page ended in an exception',
  )
}

const digestOf = (error: unknown) =>
  error instanceof Error && 'digest' in error ? String(error.digest) : undefined

// The query may hold an invitation token or a search for a person's name. Neither belongs in a log.
const withoutQuestion = (target: string) => target.split('?', 1)[0]
