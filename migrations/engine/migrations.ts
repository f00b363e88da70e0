import type { Migration } from '#engine/migrate'
import { events } from './0001-events'
import { people } from './0002-people'
import { quickProperties } from './0003-quick-properties'
import { installation } from './0004-installation'
import { uuidIndex } from './0005-uuid-index'
import { stringKeys } from './0006-string-keys'
import { personNames } from './0007-person-names'

/** In order, oldest first. A new step is a new file and a new line at the end; none ever changes or goes. */
export const migrations: readonly Migration[] = [
  events,
  people,
  quickProperties,
  installation,
  uuidIndex,
  stringKeys,
  personNames,
]
