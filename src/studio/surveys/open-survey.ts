import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import type { Survey, SurveyStatus } from '#surveys/survey'
import { getProduct } from '#studio/product'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'

export type SurveyParams = Promise<{ project: string; survey: string }>

export interface OpenSurvey extends Opened {
  survey: Survey
  status: SurveyStatus
  /** Why it cannot be changed by this viewer, or at all. */
  whyNot: string | undefined
}

/** The survey an address names. */
export const openSurvey = cache(async (slug: string, id: string): Promise<OpenSurvey> => {
  const opened = await openProject(slug)
  const { surveys } = getProduct()
  const survey = await surveys.find(opened.project.id, id, opened.viewer)
  if (!survey) notFound()
  const reason = whyNot('surveys:write', opened.role)
  return {
    ...opened,
    survey,
    status: surveys.statusOf(survey),
    whyNot: survey.archivedAt ? 'The survey is archived. Restore it first.' : reason,
  }
})

export async function titleOf(params: SurveyParams, view?: string): Promise<Metadata> {
  const { project, survey } = await params
  const { name } = (await openSurvey(project, survey)).survey
  return { title: view === undefined ? name : `${view} · ${name}` }
}
