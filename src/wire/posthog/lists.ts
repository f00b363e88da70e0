import { json } from '../answers'
import type { Desk, WireAnswer, WireRequest } from '../dialect'
import { keyOf, refuseKey } from './refusals'

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

function ifKeyKnown(request: WireRequest, desk: Desk, answer: () => WireAnswer): WireAnswer {
  const key = keyOf(request)
  return key !== undefined && desk.projectNamed(key) ? answer() : refuseKey(key, desk)
}
