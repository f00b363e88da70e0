import { answerMcp } from '#agents/answer-mcp'
import { answerApi, answerPlausibleApi, answerPosthogApi, answerUmamiApi, umamiAddressOf } from '#api/answer'
import { bodyLimits } from '#http/limits'
import { at, pagePolicy, type Route, route, type RoutePolicy } from './route'
import type { FrontContext } from './run-route'

/** A key is sent deliberately, so any host name is allowed: another container uses the container's name. */
export const apiPolicy: RoutePolicy = {
  format: 'api',
  hosts: 'any',
  ownOrigin: false,
  methods: pagePolicy.methods,
  maxBodyBytes: bodyLimits.api,
  isForwarded: false,
}
const agentPolicy: RoutePolicy = { ...apiPolicy, maxBodyBytes: bodyLimits.agent }

const isPlausiblePath = (path: string) => /^\/api\/(?:v1\/stats|v2\/query)(?:\/|$)/.test(path)

/** Addresses that are read and written with a key: Tilth's own API, those of other products, and assistants. */
export function apiRoutes({ log, addresses }: Pick<FrontContext, 'log' | 'addresses'>): Route[] {
  return [
    route('mcp', at('/mcp'), agentPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) =>
        answerMcp(exchange, body, { product, log, addresses: addresses() }),
    }),
    route('plausible api', ({ trustedRequest: { path } }) => isPlausiblePath(path), apiPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerPlausibleApi(exchange, body, { product, log }),
    }),
    route('api', at('/api/v1/*'), apiPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerApi(exchange, body, { product, log }),
    }),
    route('umami api', umamiAddressOf, apiPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body, found) => answerUmamiApi(exchange, body, found, { product, log }),
    }),
    // what is below /api and nowhere else; clients read JSON there, never a page
    route('posthog api', at('/api/*'), apiPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerPosthogApi(exchange, body, { product, log }),
    }),
  ]
}
