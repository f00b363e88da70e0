import type { Engine } from '#engine/engine'
import { Eraser, type EraserDependencies } from './internal/eraser'
import { ErasureLog } from './erasures/internal/erasure-log'
import { SplitApplier } from './splits/split-applier'

export interface PersonChangesDependencies extends Omit<EraserDependencies, 'engine' | 'recordErasures'> {
  engine: Engine
  /** The file that tells a store which is put back from a copy of all erasures. */
  erasureLogFile: string
  onTrouble: (problem: unknown) => void
}

/** Splits and erases persons on request, at each start, and whenever the jobs of these names run. */
export function openPersonChanges(dependencies: PersonChangesDependencies): {
  erase: () => Promise<number>
  split: () => Promise<number>
  close: () => void
} {
  const { store, engine, erasureLogFile, onTrouble } = dependencies
  const erasureLog = new ErasureLog(erasureLogFile)
  const eraser = new Eraser({
    ...dependencies,
    recordErasures: () => erasureLog.synchronize(dependencies),
  })
  const splits = new SplitApplier(dependencies)
  const split = () => splits.run()
  // an erasure would take the events of a distinct id that was split off and is not corrected yet
  const erase = async () => {
    await split()
    return await eraser.run()
  }
  const close = store.onChange((topic) => {
    if (topic === 'erasures') void erase().catch(onTrouble)
    if (topic === 'person splits') void split().catch(onTrouble)
  })
  void engine.ready().then(erase).catch(onTrouble)
  return { erase, split, close }
}
