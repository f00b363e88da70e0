import { amplitude } from './internal/amplitude'
import { ga4 } from './internal/ga4'
import { goatcounter } from './internal/goatcounter'
import { matomo } from './internal/matomo'
import { mixpanel } from './internal/mixpanel'
import { plausible } from './internal/plausible'
import { posthog } from './internal/posthog'
import { simpleAnalytics } from './internal/simple-analytics'
import type { ImportSource } from './internal/source'
import { umami } from './internal/umami'

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
