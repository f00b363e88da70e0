import type { Instrumentation } from 'next'
import { getFailures, getLog } from '#app/product'

/** Logs the error of a failed page with the digest that the visitor sees. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  const digest = digestOf(error)
  const requestId = request.headers['x-request-id']
  if (digest !== undefined) getFailures().note(digest, error, new Date(), [requestId].flat()[0])
  getLog().error(
    {
      err: error,
      digest,
      requestId,
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
