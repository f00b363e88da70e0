import type { VersionSpec } from '#insights/kinds/survey/schema'
import { answerKinds } from '../../kinds/internal/answer-kinds'
import type { SurveyVersion } from '../../survey'

/** Returns the way in which answers are read in each version of a survey, the oldest version first. */
export const versionSpecs = (versions: readonly SurveyVersion[]): VersionSpec[] =>
  versions
    .toSorted((one, other) => one.version - other.version)
    .map(({ version, createdAt, content }) => ({
      version,
      from: createdAt.toISOString(),
      questions: content.questions.map((question) => {
        const { id, kind } = question
        return { id, kind, ...answerKinds[kind].spec?.(question, content) }
      }),
    }))
