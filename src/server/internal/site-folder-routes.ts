import { answerKitWork, isKitWorkPath } from '#http/kit-files'
import { bodyLimits, visitorFormLimits } from '#http/limits'
import { methodsToRead, pagePolicy, type Route, route, type RoutePolicy } from './route'

const filePolicy: RoutePolicy = { ...pagePolicy, hosts: 'sites', isForwarded: false, methods: methodsToRead }
// a route decides itself which sites may call it, and knows none of Tilth's cookies
const callPolicy: RoutePolicy = {
  ...pagePolicy,
  hosts: 'sites',
  isForwarded: false,
  ownOrigin: false,
  maxBodyBytes: bodyLimits.siteCall,
}
const formPolicy: RoutePolicy = {
  ...callPolicy,
  ownOrigin: true,
  methods: new Set(['POST']),
  maxBodyBytes: visitorFormLimits.bytes.siteAction,
}

/** The requests of browsers to a site folder: for its files, and while a team works on it. */
export function siteFolderFiles(streams: Set<() => void>): Route[] {
  return [
    route(
      'site folder files',
      ({ trustedRequest: { path } }, { kitChanges }) => kitChanges && isKitWorkPath(path),
      filePolicy,
      {
        needs: ['kitChanges'],
        answer: (exchange, { kitChanges }) => answerKitWork(exchange, kitChanges, streams),
      },
    ),
    route(
      'site folder files',
      ({ trustedRequest: { path } }, { kitFiles }) => kitFiles?.has(path),
      filePolicy,
      {
        needs: ['kitFiles'],
        answer: ({ request, response, trustedRequest: { path } }, { kitFiles }) =>
          kitFiles.serve(path, request, response),
      },
    ),
  ]
}

/** Requests that modules of a site folder answer themselves. */
export function siteFolderCalls(): Route[] {
  return [
    route('site folder routes', (request, { site }) => site?.calls?.routeAt(request), callPolicy, {
      needs: ['site'],
      answer: (exchange, { site }, body, found) => site.calls?.answerRoute(exchange, body, found),
    }),
    route('site folder forms', (request, { site }) => site?.calls?.formAt(request), formPolicy, {
      needs: ['site'],
      answer: (exchange, { site }, body, found) => site.calls?.answerForm(exchange, body, found),
    }),
  ]
}
