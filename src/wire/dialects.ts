import { amplitude } from './amplitude/internal/amplitude'
import type { Dialect } from './dialect'
import { ga4 } from './internal/ga4/ga4'
import { goatcounter } from './internal/goatcounter/goatcounter'
import { matomo } from './internal/matomo/matomo'
import { mixpanel } from './mixpanel/internal/mixpanel'
import { ofrep } from './internal/ofrep/ofrep'
import { plausible } from './internal/plausible/plausible'
import { posthog } from './posthog/internal/posthog'
import { tilth } from './internal/tilth/tilth'
import { segment } from './internal/segment/segment'
import { simpleAnalytics } from './internal/simple-analytics/simple-analytics'
import { createTrackerScripts } from './trackers/scripts'
import { umami } from './internal/umami/umami'
import { vercel } from './internal/vercel/vercel'

/** Creates every dialect. A new one is a folder and a line here. The build writes our scripts into `scriptsFolder`. */
export function createDialects(scriptsFolder: string): readonly Dialect[] {
  const scripts = createTrackerScripts(scriptsFolder)
  return [
    tilth(scripts),
    posthog,
    ofrep,
    vercel(scripts),
    plausible(scripts),
    umami(scripts),
    segment,
    amplitude,
    mixpanel,
    goatcounter,
    matomo,
    simpleAnalytics,
    ga4,
  ]
}
