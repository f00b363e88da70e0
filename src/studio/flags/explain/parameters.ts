import type { ExplainParameters } from '#studio/paths'
import { jsonIn } from '#studio/people/list-filter'
import { type SearchParams, textOf } from '#studio/search-params'

/** Ignores invalid values in the address. */
export const explainParametersIn = ({
  environment,
  visitor,
  device,
  properties,
  groups,
}: SearchParams): ExplainParameters => ({
  environment: textOf(environment),
  visitor: textOf(visitor)?.slice(0, 1000),
  device: textOf(device)?.slice(0, 1000),
  properties: textOf(properties),
  groups: textOf(groups),
})

/** Converts the query to the product's input, which validates it. */
export const explainRequestOf = (
  { visitor, device, properties, groups }: ExplainParameters,
  environment: string,
) => ({
  environment,
  distinctId: visitor,
  ...(device !== undefined && { deviceId: device }),
  ...(properties !== undefined && { personProperties: jsonIn(properties) }),
  ...(groups !== undefined && { groups: jsonIn(groups) }),
})
