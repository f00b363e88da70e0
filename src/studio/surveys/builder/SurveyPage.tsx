import type { Metadata } from 'next'
import { surveyLink, testLink } from '#studio/paths'
import { getProduct } from '#studio/product'
import { installationAddress } from '#studio/connect/address'
import { openedSurvey } from './draft'
import { SurveyBuilder } from './SurveyBuilder'
import { openSurvey, type SurveyParams, titleOf } from '../open-survey'
import { SurveyFrame } from '../SurveyFrame'

interface SurveyPageProps {
  params: SurveyParams
}

export const generateMetadata = ({ params }: SurveyPageProps): Promise<Metadata> => titleOf(params)

/** A survey as it is built and launched. */
export async function SurveyPage({ params }: SurveyPageProps) {
  const { project: slug, survey: id } = await params
  const opened = await openSurvey(slug, id)
  const { project, viewer, survey, status, whyNot } = opened
  const { flags: allFlags } = getProduct()
  const { answers: surveyAnswers } = getProduct().surveys
  const flags = await allFlags.list(project.id, viewer)
  const link = surveyLink(await installationAddress(), survey.id)

  return (
    <SurveyFrame {...opened} view="build">
      <SurveyBuilder
        survey={openedSurvey(survey)}
        status={status}
        choices={{
          slug,
          flags: flags
            .filter(({ archivedAt }) => !archivedAt)
            .map(({ key, variants }) => ({ key, variants })),
        }}
        link={link}
        testAddress={testLink(link, surveyAnswers.testKeyOf(survey))}
        timeZone={project.timeZone}
        whyNot={whyNot}
      />
    </SurveyFrame>
  )
}
