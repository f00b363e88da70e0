import { fieldName, otherPart, otherValue } from '#surveys/internal/form-fields'
import type { Answer, ChoiceQuestion } from '#surveys/question'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn } from '#surveys/run/words'
import type { KindRules, QuestionView } from '../kind-rules'
import { isText, isUnique, textsIn, textsOf } from '../internal/answer-parts'
import { longestText } from '../internal/controls'

export const singleChoice: KindRules<'single-choice'> = {
  draw: choicesHtml,
  read: (_, { text }) => chosenText(text(), text(otherPart))[0] ?? '',
  check: (question, answer, words) =>
    isText(answer) && isChoice(question, answer) ? undefined : words.notAChoice,
}

export const multipleChoice: KindRules<'multiple-choice'> = {
  draw: choicesHtml,
  read: (_, { list, text }) => list().flatMap((value) => chosenText(value, text(otherPart))),
  check(question, answer, words) {
    const texts = textsIn(answer)
    if (!texts || !isUnique(texts) || !texts.every((text) => isChoice(question, text)))
      return words.notAChoice
    const typed = texts.filter((text) => !question.choices.some((choice) => choice.text === text))
    const { minChoices = 0, maxChoices = question.choices.length } = question
    if (typed.length > 1) return words.notAChoice
    if (texts.length < minChoices) return fillIn(words.chooseAtLeast, minChoices)
    return texts.length > maxChoices ? fillIn(words.chooseAtMost, maxChoices) : undefined
  },
}

function chosenText(value: string, typed: string): string[] {
  if (value !== otherValue) return value === '' ? [] : [value]
  return typed.trim() === '' ? [] : [typed.trim()]
}

function choicesHtml(question: ChoiceQuestion, answer: Answer | undefined, { words }: QuestionView): string {
  const given = textsOf(answer)
  const typed = given.find((text) => !question.choices.some((choice) => choice.text === text))
  const isSingle = question.kind === 'single-choice'
  const options = question.choices.map(({ text }, index) => {
    const isOther = question.hasOther && index === question.choices.length - 1
    const input = element('input', {
      type: isSingle ? 'radio' : 'checkbox',
      name: fieldName(question),
      value: isOther ? otherValue : text,
      checked: isOther ? typed !== undefined : given.includes(text),
      required: isSingle && question.isRequired,
    })
    const label = element('label', { class: 'option' }, input, element('span', {}, escapeHtml(text)))
    const typing = element('input', {
      class: 'text',
      name: fieldName(question, otherPart),
      value: typed,
      maxlength: longestText,
      dir: 'auto',
      'aria-label': `${text}: ${words.other}`,
    })
    return element('li', {}, label, isOther ? typing : '')
  })
  return element('ul', { class: 'options' }, ...options)
}

const isChoice = ({ choices, hasOther }: ChoiceQuestion, text: string): boolean =>
  choices.some((choice) => choice.text === text) ||
  (hasOther && text.trim() !== '' && text.length <= longestText)
