import { amplitude } from './amplitude'
import { ga4 } from './ga4'
import { goatcounter } from './goatcounter'
import { matomo } from './matomo'
import { mixpanel } from './mixpanel'
import { plausible } from './plausible'
import { posthog } from './posthog'
import { simpleAnalytics } from './simple-analytics'
import type { ImportSource } from './source'
import { umami } from './umami'

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
} as const satisfies Record<string, ImportSource>
export type ImportSourceName = keyof typeof importSources

export const isImportSource = (name: string): name is ImportSourceName => Object.hasOwn(importSources, name)
