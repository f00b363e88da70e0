import { amplitude } from './amplitude/amplitude'
import { ga4 } from './ga4/ga4'
import { goatcounter } from './goatcounter/goatcounter'
import { matomo } from './matomo/matomo'
import { mixpanel } from './mixpanel/mixpanel'
import { plausible } from './plausible/plausible'
import { posthog } from './posthog/posthog'
import { simpleAnalytics } from './simple-analytics/simple-analytics'
import type { ImportSource } from './internal/source'
import { tilth } from './tilth/tilth'
import { umami } from './umami/umami'

/** Every product whose exports can be imported, by the name that the command takes. */
export const importSources = {
  posthog,
  umami,
  plausible,
  mixpanel,
  amplitude,
  ga4,
  matomo,
  goatcounter,
  'simple-analytics': simpleAnalytics,
  tilth,
} as const satisfies Record<string, ImportSource>
export type ImportSourceName = keyof typeof importSources

export const isImportSource = (name: string): name is ImportSourceName => Object.hasOwn(importSources, name)
