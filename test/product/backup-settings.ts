import type { BackupSettings } from '#backups/back-up'
import { realWorld } from '#world/world'

/** A snapshot that holds up no other work and is kept, for tests of what is in it. */
export const backupSettings = {
  retention: { last: 10, daily: 0, weekly: 0, monthly: 0 },
  world: realWorld,
  tilth: 'test',
  withKeys: false,
  progress: () => {},
  isHeld: () => true,
  hold: () => ({ release: () => {} }),
} satisfies Partial<BackupSettings>
