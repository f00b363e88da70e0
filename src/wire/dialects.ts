import { amplitude } from './amplitude/amplitude'
import type { Dialect } from './dialect'
import { ga4 } from './ga4/ga4'
import { goatcounter } from './goatcounter/goatcounter'
import { matomo } from './matomo/matomo'
import { mixpanel } from './mixpanel/mixpanel'
import { ofrep } from './ofrep/ofrep'
import { plausible } from './plausible/plausible'
import { posthog } from './posthog/posthog'
import { tilth } from './tilth/tilth'
import { segment } from './segment/segment'
import { simpleAnalytics } from './simple-analytics/simple-analytics'
import { createTrackerScripts } from './tracker-scripts'
import { umami } from './umami/umami'
import { vercel } from './vercel/vercel'

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
