import type { Dialect } from './dialect'
import { posthog } from './posthog/posthog'

/** Every way of talking to us. A new one is a folder and a line here. */
export const dialects: readonly Dialect[] = [posthog]
