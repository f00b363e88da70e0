import type { RequestBody } from '#http/body'
import type { PlainResponse } from '#http/fast-lane/fast-lane'
import { bodyLimits } from '#http/limits'
import { refuse, type RefusalFormat } from '#http/refusals'
import { pathMatcher, type PathParts, type PathPattern } from '#http/router'
import type { Exchange, RequestToAnswer } from '#http/trusted-request'
import { networkOf } from '#projects/origin'
import { openRateLimiter } from '#world/rate-limiter'
import { areReady, type Ready, type RunningServices, type ServiceName } from './ready'

/** Requirements that a request must meet before its route answers it. */
export interface RoutePolicy {
  format: RefusalFormat
  /**
   * The allowed hosts. Sites proxy trackers and SDKs through their own hosts, and projects have hosts for their
   * sites; the studio and its sessions are only on Tilth's own.
   */
  hosts: 'any' | 'ours' | 'sites'
  /** Whether a change must come from a page of this Tilth: required wherever browsers' cookies count. */
  ownOrigin: boolean
  methods: ReadonlySet<string>
  maxBodyBytes: number
  /**
   * Whether the request is forwarded to code that trusts its headers, so that they are cleaned first. Its form, if it has
   * one, has then arrived and has a slot.
   */
  isForwarded: boolean
  /** The limit of requests from one network. */
  rateLimit?: { limit: number; windowMs: number }
  /** Whether visitors are told that Tilth waits for its store, rather than that it starts. */
  namesAwaitedStore?: boolean
}

export const hourMs = 3_600_000

export const methodsToRead = new Set(['GET', 'HEAD'])

export const pagePolicy: RoutePolicy = {
  format: 'page',
  hosts: 'ours',
  ownOrigin: true,
  methods: new Set([...methodsToRead, 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']),
  maxBodyBytes: bodyLimits.page,
  isForwarded: true,
}

export type RouteHandler = (exchange: Exchange, body: RequestBody) => void | Promise<void>

/** Answers a plain request; undefined where its route's other handler has to, and nothing has come of it yet. */
export type PlainRouteHandler = (
  body: Buffer,
) => PlainResponse | undefined | Promise<PlainResponse | undefined>

/** An entry of the list of routes, as `runRoute` uses it. */
export interface Route extends RoutePolicy {
  name: string
  /** Returns the handler of a request; undefined where it belongs to another route. */
  handlerFor: (request: RequestToAnswer, services: RunningServices) => RouteHandler | undefined
  /** Returns the handler of a plain request in the fast lane; only routes that are asked very often have one. */
  plainHandlerFor?: (request: RequestToAnswer, services: RunningServices) => PlainRouteHandler | undefined
}

/** Returns what a route reads of an address, or a falsy value where the request belongs to another route. */
type RouteMatcher<Match> = (request: RequestToAnswer, services: RunningServices) => Match | false | undefined

interface RouteAnswer<Needed extends ServiceName, Match> extends Pick<Route, 'plainHandlerFor'> {
  /** The services that must be there; until then, requests are refused. */
  needs?: readonly Needed[]
  answer: (
    exchange: Exchange,
    services: Ready<Needed>,
    body: RequestBody,
    match: Match,
  ) => void | Promise<void>
}

/**
 * Makes an entry of the list of routes, which is refused until what it needs is ready, and above its rate limit.
 *
 * @example
 * route('live', at('/_tilth/live/*'), livePolicy, { needs: ['product', 'live'], answer: answerLive })
 */
export function route<Needed extends ServiceName, Match>(
  name: string,
  matches: RouteMatcher<Match>,
  policy: RoutePolicy,
  { needs = [], answer, plainHandlerFor }: RouteAnswer<Needed, Match>,
): Route {
  const { rateLimit } = policy
  const mayAsk = rateLimit && openRateLimiter(rateLimit)
  const tooOften = rateLimit?.windowMs === hourMs ? 'too-often-in-an-hour' : 'too-often'
  return {
    ...policy,
    name,
    plainHandlerFor,
    handlerFor(routed, services) {
      const match = matches(routed, services)
      if (!match) return undefined
      return (exchange, body) => {
        if (!areReady(services, needs)) return refuseWhileStarting(exchange, policy, services)
        const { request, response, trustedRequest } = exchange
        if (mayAsk?.(networkOf(trustedRequest.client)) === false)
          return refuse(request, response, tooOften, policy.format)
        return answer(exchange, services, body, match)
      }
    },
  }
}

function refuseWhileStarting(
  exchange: Exchange,
  { format, namesAwaitedStore }: RoutePolicy,
  { awaitedStore }: RunningServices,
): void {
  exchange.response.setHeader('x-request-id', exchange.trustedRequest.requestId)
  const refusal = namesAwaitedStore && awaitedStore ? 'without-store' : 'starting'
  refuse(exchange.request, exchange.response, refusal, format)
}

/** Matches requests by their path. */
export function at(pattern: PathPattern): (request: RequestToAnswer) => PathParts | undefined {
  const find = pathMatcher(pattern)
  return ({ trustedRequest }) => find(trustedRequest.path)
}
