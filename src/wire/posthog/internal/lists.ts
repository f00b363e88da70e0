import { type EarlyAccess, type Flag, mainEnvironment } from '#flags/flag'
import { jsonResponse, jsonTextResponse } from '../../internal/responses'
import type { WireServices, ResolvedProject, WireResponse, WireRequest } from '../../dialect'
import { flagPayload } from '../../internal/flag-payload'
import { noteUnknownKey, projectKeyOf, refuseKey } from '../refusals'

/** Lists that browsers request besides flags. They cache an empty list, but would retry after an error. */
const lists = {
  '/api/early_access_features': (request, project, services) => ({
    earlyAccessFeatures: earlyAccessFeatures(request, project, services),
  }),
  '/api/product_tours': () => ({ product_tours: [] }),
} as const satisfies Record<
  string,
  (request: WireRequest, project: ResolvedProject, services: WireServices) => object
>

type ListPath = keyof typeof lists
export const listPaths = Object.keys(lists).filter((path): path is ListPath => Object.hasOwn(lists, path))

/**
 * posthog-js asks again every second, in every open tab, where the first answer is no list
 * (test/recordings/posthog/surveys/A1). A key that names no project any more gets an empty one.
 */
export function respondWithSurveys(request: WireRequest, services: WireServices): WireResponse {
  const key = projectKeyOf(request)
  const project = key === undefined ? undefined : services.findProject(key)
  if (project) return jsonTextResponse(200, services.posthogSurveys(project.id).json)
  noteUnknownKey(key, services)
  return jsonResponse(200, { surveys: [] })
}

/** Answers as `respondWithSurveys` does: without a list of experiments the pages stay as they are. */
export function respondWithWebExperiments(request: WireRequest, services: WireServices): WireResponse {
  const key = projectKeyOf(request)
  const project = key === undefined ? undefined : services.findProject(key)
  if (project) return jsonTextResponse(200, services.posthogWebExperiments(project.id))
  noteUnknownKey(key, services)
  return jsonResponse(200, { experiments: [] })
}

export const respondWithList =
  (path: ListPath) =>
  (request: WireRequest, services: WireServices): WireResponse => {
    const key = projectKeyOf(request)
    const project = key === undefined ? undefined : services.findProject(key)
    return project ? jsonResponse(200, lists[path](request, project, services)) : refuseKey(key, services)
  }

/** PostHog's default too: a client that names no stage gets the features open to visitors. */
const defaultStages: readonly string[] = ['beta']

function earlyAccessFeatures(
  { query }: WireRequest,
  project: ResolvedProject,
  services: WireServices,
): object[] {
  const named = query.getAll('stage')
  const stages = named.length > 0 ? named : defaultStages
  const environment = project.environment ?? mainEnvironment
  return services.flagsOf(project.id).flatMap((flag) => {
    const { earlyAccess } = flag
    if (!earlyAccess || flag.isSecret || !stages.includes(earlyAccess.stage)) return []
    return isOpenToVisitors(flag, earlyAccess, environment) ? [featureOf(flag, earlyAccess, environment)] : []
  })
}

/** Concepts only collect interest; features of other stages must be on before visitors can opt in. */
const isOpenToVisitors = ({ environments }: Flag, { stage }: EarlyAccess, environment: string): boolean =>
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
  // payloads were validated as JSON when they were stored
  payload: JSON.parse(flagPayload(flag, environment, true) ?? '{}') as unknown,
  flagKey: flag.key,
})
