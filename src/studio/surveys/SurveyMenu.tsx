'use client'

import { EntryMenu } from '#studio/parts/EntryMenu'
import { paths } from '#studio/paths'
import { archiveSurvey, duplicateSurvey, restoreSurvey } from './actions'

interface SurveyMenuProps {
  slug: string
  id: string
  name: string
  isArchived: boolean
  whyNot: string | undefined
}

export const SurveyMenu = ({ slug, id, name, isArchived, whyNot }: SurveyMenuProps) => (
  <EntryMenu
    {...{ name, isArchived, whyNot }}
    archive={() => archiveSurvey(slug, id)}
    restore={() => restoreSurvey(slug, id)}
    duplicate={() => duplicateSurvey(slug, id)}
    pathOf={(copy) => paths.survey(slug, copy)}
  />
)
