import type { Migration } from '../../src/engine/migrate'
import { events } from './0001-events'
import { people } from './0002-people'
import { quickProperties } from './0003-quick-properties'

/** In order, oldest first. A new step is a new file and a new line at the end; none ever changes or goes. */
export const migrations: readonly Migration[] = [events, people, quickProperties]
