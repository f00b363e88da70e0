import type { PublicContent } from '#surveys/run/public-survey'
import { arrangeContent as arrange } from '#surveys/run/session'

/** Parts that only some surveys need. The widget loads them once one of those is due. */
export { givenFields } from './given-fields'
export { rareKinds } from '#surveys/kinds/rare-kinds'
export { rareRules } from '#surveys/survey-styles'

/**
 * The content in the order of one session. Pictures that were uploaded are named by their path, and come from where
 * this file does.
 */
export function arrangeContent(content: PublicContent, random: () => number): PublicContent {
  const arranged = arrange(content, random)
  const questions = arranged.questions.map((question) =>
    question.kind === 'picture'
      ? {
          ...question,
          choices: question.choices.map((choice) => ({ ...choice, imageUrl: absolute(choice.imageUrl) })),
        }
      : question,
  )
  return { ...arranged, questions }
}

const absolute = (address: string): string => address && new URL(address, import.meta.url).href
