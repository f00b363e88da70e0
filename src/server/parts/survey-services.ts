import type { Store } from '#store/store'
import { PublishedSurveys } from '#surveys/published-surveys'
import { Surveys } from '#surveys/surveys'
import type { World } from '#world/world'

export interface SurveyServicesDependencies {
  store: Store
  world: World
  onTrouble: (problem: unknown) => void
}

/** Surveys, and what reads them while Tilth runs. */
export interface SurveyServices {
  /** What the product offers of them. */
  parts: {
    surveys: Surveys
    publishedSurveys: PublishedSurveys
  }
  close(): Promise<void>
}

export async function openSurveyServices(dependencies: SurveyServicesDependencies): Promise<SurveyServices> {
  const published = await PublishedSurveys.open(dependencies)
  return {
    parts: {
      surveys: new Surveys({ ...dependencies, published }),
      publishedSurveys: published,
    },
    close: () => published.close(),
  }
}
