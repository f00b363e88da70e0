import { z } from 'zod'
import { exposurePoint } from '#insights/kinds/experiment-exposures/schema'

const metric = z.string().min(1).max(40).optional().meta({
  description: 'The id of the metric that counts as conversion; the first primary one, if it is left out',
})

export const exposuresInput = z.strictObject({ metric })

/** The persons to list: all that is given must hold. */
export const peopleInput = exposurePoint.extend({
  metric,
  page: z.coerce.number().int().min(1).max(1000).default(1),
})
