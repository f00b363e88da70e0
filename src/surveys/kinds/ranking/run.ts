import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn } from '#surveys/run/words'
import type { KindRules } from '../kind-rules'
import { isUnique, textsIn, textsOf } from '../internal/answer-parts'

export const ranking: KindRules<'ranking'> = {
  draw(question, answer, { words }) {
    const given = textsOf(answer)
    const rows = question.choices.map((choice) => {
      const rank = String(given.indexOf(choice.text) + 1)
      const ranks = ['', ...question.choices.map((_, index) => String(index + 1))].map((value) =>
        element('option', { value, selected: value === rank }, value || '–'),
      )
      const select = element(
        'select',
        {
          class: 'text',
          name: fieldName(question, choice.id),
          required: question.isRequired,
          'aria-label': fillIn(words.rank, choice.text),
        },
        ...ranks,
      )
      return element('li', { class: 'option rank' }, element('label', {}, escapeHtml(choice.text)), select)
    })
    return element('ol', { class: 'options' }, ...rows)
  },
  /** A form without ranks is a skipped question. Of choices with the same rank the first has it, and the order is incomplete. */
  read({ choices }, { text: rankOf }) {
    const ranked = choices
      .map(({ id, text }) => ({ text, rank: rankOf(id) }))
      .filter(({ rank }) => rank !== '')
    const distinct = ranked.filter(
      ({ rank }, index) => ranked.findIndex((one) => one.rank === rank) === index,
    )
    return distinct.toSorted((one, other) => Number(one.rank) - Number(other.rank)).map(({ text }) => text)
  },
  check({ choices }, answer, words) {
    const texts = textsIn(answer)
    const isComplete = texts?.length === choices.length && isUnique(texts)
    return isComplete && texts.every((text) => choices.some((choice) => choice.text === text))
      ? undefined
      : words.rankAll
  },
}
