import type { SurveyRowFigures } from '#surveys/results/row-figures'
import { number, percent } from '#ui/format'
import { getProduct } from '#studio/product'
import type { Opened } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import type { ShownFigures } from './SurveysTable'

/** The numbers of launched surveys over all time, by id; none if they cannot be counted now. */
export async function surveyFigures({ project, viewer }: Opened): Promise<ReadonlyMap<string, ShownFigures>> {
  const { surveyResults } = getProduct()
  const asked = await tryEngine(async () => ({
    done: true as const,
    figures: await surveyResults.figures(project.id, viewer),
  }))
  return new Map(asked.done ? [...asked.figures].map(([id, figures]) => [id, shown(figures)]) : [])
}

const shown = ({ responses, rate, score }: SurveyRowFigures): ShownFigures => ({
  responses,
  rate: rate?.value,
  score: score && scoreText(score),
})

/** "NPS 42" or "CSAT 87%". */
const scoreText = ({ label, estimate: { value } }: NonNullable<SurveyRowFigures['score']>): string =>
  `${label} ${label === 'CSAT' ? percent(value) : number(Math.round(value))}`
