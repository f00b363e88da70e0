import { z } from 'zod'
import { exposureDimensions, severalVariantsCauses, unitStates } from './answer'
import { baseQueryFields } from '../../query-fields'
import { exposureFields, measuredMetric } from '../experiment/schema'

/** The states of all units that a flag was reported for, by what their events have in common. */
export const experimentExposuresQuery = z.object({
  kind: z.literal('experiment-exposures'),
  ...baseQueryFields,
  ...exposureFields,
  /** Units with its event count as converted. */
  metric: measuredMetric.optional(),
})
export type ExposureForensicsQuery = z.infer<typeof experimentExposuresQuery>

/** Units that meet all that is given. */
export const exposurePoint = z.strictObject({
  state: z.enum(unitStates).optional(),
  /** Whether the unit counts, whatever its state is otherwise. */
  counted: z.boolean().optional(),
  variant: z.string().max(200).optional(),
  phase: z.number().int().min(0).max(50).optional(),
  dimension: z.enum(exposureDimensions).optional(),
  /** A value of the dimension. */
  value: z.string().max(1000).optional(),
  /** The several variants that a unit saw, sorted. */
  seen: z.array(z.string().max(200)).max(10).optional(),
  cause: z.enum(severalVariantsCauses).optional(),
  served: z.boolean().optional(),
  viewed: z.boolean().optional(),
  converted: z.boolean().optional(),
})
export type ExposurePoint = z.infer<typeof exposurePoint>
