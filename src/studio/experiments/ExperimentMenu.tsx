'use client'

import { EntryMenu } from '#studio/parts/EntryMenu'
import { paths } from '#studio/paths'
import { archiveExperiment, duplicateExperiment, restoreExperiment } from './actions'

interface ExperimentMenuProps {
  slug: string
  id: string
  name: string
  isRunning: boolean
  isArchived: boolean
  whyNot: string | undefined
}

export const ExperimentMenu = ({ slug, id, name, isRunning, isArchived, whyNot }: ExperimentMenuProps) => (
  <EntryMenu
    {...{ name, isArchived, whyNot }}
    whyNotArchive={whyNot ?? (isRunning ? 'End the experiment first.' : undefined)}
    archive={() => archiveExperiment(slug, id)}
    restore={() => restoreExperiment(slug, id)}
    duplicate={() => duplicateExperiment(slug, id)}
    pathOf={(copy) => paths.experimentSettings(slug, copy)}
  />
)
