import { migrations } from '#migrations/engine/migrations'
import { EmbeddedEngine, type EmbeddedSettings } from './internal/embedded'
import type { Engine } from './engine'
import { RemoteEngine, type RemoteSettings } from './internal/remote'

export type EngineSettings = EmbeddedSettings | RemoteSettings

/** Opens the engine without waiting; `ready()` and `health()` show its progress. */
export function openEngine(settings: EngineSettings, history = migrations): Engine {
  return settings.form === 'embedded'
    ? new EmbeddedEngine(settings, history)
    : new RemoteEngine(settings, history)
}
