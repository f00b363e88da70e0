import { oauthPaths } from '#agent-access/addresses'
import {
  answerRegistration,
  answerResourceMetadata,
  answerRevocation,
  answerServerMetadata,
  answerToken,
} from '#agent-access/answer-oauth'
import { answerMcp } from '#agents/answer-mcp'
import { PictureThread } from '#agents/picture-thread'
import { answerApi, answerPlausibleApi, answerPosthogApi, answerUmamiApi, umamiAddressOf } from '#api/answer'
import { bodyLimits } from '#http/limits'
import { at, hourMs, methodsToRead, pagePolicy, type Route, route, type RoutePolicy } from './route'
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

const metadataPolicy: RoutePolicy = { ...apiPolicy, methods: methodsToRead, maxBodyBytes: bodyLimits.none }
// a client asks once an hour; an attacker who guesses codes sends many requests
const tokenPolicy: RoutePolicy = {
  ...apiPolicy,
  methods: new Set(['POST']),
  maxBodyBytes: bodyLimits.none,
  rateLimit: { limit: 300, windowMs: 60_000 },
}
// a program registers once on each machine
const registrationPolicy: RoutePolicy = { ...tokenPolicy, rateLimit: { limit: 30, windowMs: hourMs } }

const isPlausiblePath = (path: string) => /^\/api\/(?:v1\/stats|v2\/query)(?:\/|$)/.test(path)

/** Addresses that are read and written with a key: Tilth's own API, those of other products, and assistants. */
export function apiRoutes({ log, addresses }: Pick<FrontContext, 'log' | 'addresses'>): Route[] {
  const pictures = new PictureThread({
    onTrouble: (problem) => log.warn({ err: problem }, 'a picture for an assistant could not be drawn'),
  })
  return [
    route('mcp', at('/mcp'), agentPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) =>
        answerMcp(exchange, body, { product, log, addresses: addresses(), pictures }),
    }),
    ...signInRoutes(addresses),
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

/** Addresses by which assistants sign in for a member: OAuth 2.1 with its metadata. */
function signInRoutes(addresses: FrontContext['addresses']): Route[] {
  const { resourceMetadata, serverMetadata, token, register, revoke } = oauthPaths
  const isResourceMetadata: Parameters<typeof route<never, boolean>>[1] = ({ trustedRequest: { path } }) =>
    path === resourceMetadata || path === `${resourceMetadata}/mcp`
  return [
    route('oauth resource', isResourceMetadata, metadataPolicy, {
      answer: (exchange) => answerResourceMetadata(exchange, addresses()),
    }),
    route('oauth server', at(serverMetadata), metadataPolicy, {
      answer: (exchange) => answerServerMetadata(exchange, addresses()),
    }),
    route('oauth register', at(register), registrationPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerRegistration(exchange, body, product),
    }),
    route('oauth token', at(token), tokenPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerToken(exchange, body, product),
    }),
    route('oauth revoke', at(revoke), tokenPolicy, {
      needs: ['product'],
      answer: (exchange, { product }, body) => answerRevocation(exchange, body, product),
    }),
  ]
}
