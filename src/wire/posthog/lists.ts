import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { bearerOf, refuseKey } from './refusals'

/** What browsers fetch beside flags. An empty list is an answer that they remember; an error they would ask again about. */
const lists = {
  '/api/surveys': { surveys: [] },
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/web_experiments': { experiments: [] },
  '/api/product_tours': { product_tours: [] },
} as const

type ListPath = keyof typeof lists
export const listPaths = Object.keys(lists).filter((path): path is ListPath => Object.hasOwn(lists, path))

export const answerList =
  (path: ListPath) =>
  (request: WireRequest, desk: Desk): WireAnswer =>
    ifKeyKnown(request, desk, () => json(200, lists[path]))

/** Logs, metrics and traces in OpenTelemetry's JSON are taken, so that nobody sends them again, and not kept. */
export const answerTelemetry = (request: WireRequest, desk: Desk): WireAnswer =>
  ifKeyKnown(request, desk, () => json(200, {}))

function ifKeyKnown(request: WireRequest, desk: Desk, answer: () => WireAnswer): WireAnswer {
  const key = request.query.get('token') ?? request.query.get('api_key') ?? bearerOf(request)
  return key !== undefined && desk.projectNamed(key) ? answer() : refuseKey(key, desk)
}
