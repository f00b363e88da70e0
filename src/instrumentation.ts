import type { Instrumentation } from 'next'
import { getFailures, getLog } from '#studio/product'

/** Logs the error of a failed page with the digest that the visitor sees. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  const digest = digestOf(error)
  const requestId = String(request.headers['x-request-id'])
  const cause = getFailures().note(error, { id: requestId, method: request.method, digest }, new Date())
  getLog()[cause === 'input' ? 'info' : 'error'](
    {
      err: error,
      digest,
      requestId,
      method: request.method,
      path: withoutParameters(request.path),
      route: context.routePath,
      routeType: context.routeType,
    },
    cause === 'input' ? 'a form or an action could not be read' : 'a page ended in an exception',
  )
}

const digestOf = (error: unknown) =>
  error instanceof Error && 'digest' in error ? String(error.digest) : undefined

// The query may hold an invitation token or a search for a person's name. Neither belongs in a log.
const withoutParameters = (target: string) => target.split('?', 1)[0]
