import { type EarlyAccess, type Flag, mainEnvironment } from '../../flags/flag'
import { json } from '../answers'
import type { Desk, NamedProject, WireAnswer, WireRequest } from '../dialect'
import { payloadOf } from '../payloads'
import { keyOf, refuseKey } from './refusals'

/** What browsers fetch beside flags. An empty list is an answer that they remember; an error they would ask again about. */
const lists = {
  '/api/surveys': () => ({ surveys: [] }),
  '/api/early_access_features': (request, project, desk) => ({
    earlyAccessFeatures: earlyAccessFeatures(request, project, desk),
  }),
  '/api/web_experiments': () => ({ experiments: [] }),
  '/api/product_tours': () => ({ product_tours: [] }),
} as const satisfies Record<string, (request: WireRequest, project: NamedProject, desk: Desk) => object>

type ListPath = keyof typeof lists
export const listPaths = Object.keys(lists).filter((path): path is ListPath => Object.hasOwn(lists, path))

export const answerList =
  (path: ListPath) =>
  (request: WireRequest, desk: Desk): WireAnswer => {
    const key = keyOf(request)
    const project = key === undefined ? undefined : desk.projectNamed(key)
    return project ? json(200, lists[path](request, project, desk)) : refuseKey(key, desk)
  }

/** Who names no stage means what people can try by now, as at PostHog. */
const usualStages: readonly string[] = ['beta']

function earlyAccessFeatures({ query }: WireRequest, project: NamedProject, desk: Desk): object[] {
  const named = query.getAll('stage')
  const stages = named.length > 0 ? named : usualStages
  const environment = project.environment ?? mainEnvironment
  return desk.flagsOf(project.id).flatMap((flag) => {
    const { earlyAccess } = flag
    if (!earlyAccess || flag.isSecret || !stages.includes(earlyAccess.stage)) return []
    return isOpen(flag, earlyAccess, environment) ? [featureOf(flag, earlyAccess, environment)] : []
  })
}

/** A mere concept is there to be wished for; all else must be on for anybody to take part in it. */
const isOpen = ({ environments }: Flag, { stage }: EarlyAccess, environment: string): boolean =>
  stage === 'concept' || environments[environment]?.isOn === true

const featureOf = (
  flag: Flag,
  { name, description, stage, documentationUrl }: EarlyAccess,
  environment: string,
) => ({
  name,
  description,
  stage,
  documentationUrl,
  // what is kept is JSON, as whoever wrote it was held to
  payload: JSON.parse(payloadOf(flag, environment, true) ?? '{}') as unknown,
  flagKey: flag.key,
})
