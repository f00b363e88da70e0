import { decidedExperiments } from './decided-experiments'
import { detractorThemes } from './detractor-themes'
import { newSources } from './new-sources'
import { rolledBack } from './rolled-back'
import type { FindingRule } from './rule'
import { staleFlags } from './stale-flags'
import { unusualNumbers } from './unusual-numbers'

/** The rules. Of findings of the same urgency, those of an earlier rule come first. */
export const rules: readonly FindingRule[] = [
  rolledBack,
  decidedExperiments,
  unusualNumbers,
  newSources,
  detractorThemes,
  staleFlags,
]
