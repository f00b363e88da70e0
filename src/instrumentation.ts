import type { Instrumentation } from 'next'
import { getLog } from './app/product'

/** Writes down what a page did not survive, under the digest that its reader was shown. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  getLog().error(
    {
      err: error,
      digest: digestOf(error),
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

// What follows the path may hold an invitation, or a name somebody searched for. Neither belongs in a log.
const withoutQuestion = (target: string) => target.split('?', 1)[0]
