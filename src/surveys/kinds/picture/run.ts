import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml } from '#surveys/run/recall'
import { fillIn } from '#surveys/run/words'
import type { KindRules } from '../kind-rules'
import { isText, isUnique, textsIn, textsOf } from '../internal/answer-parts'

export const picture: KindRules<'picture'> = {
  draw(question, answer) {
    const given = textsOf(answer)
    const { allowsSeveral, isRequired } = question
    const options = question.choices.map(({ text, imageUrl }) => {
      const input = element('input', {
        type: allowsSeveral ? 'checkbox' : 'radio',
        name: fieldName(question),
        value: text,
        checked: given.includes(text),
        required: !allowsSeveral && isRequired,
      })
      const image =
        imageUrl === ''
          ? ''
          : element('img', { src: imageUrl, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer' })
      const label = element('label', { class: 'option' }, image, element('span', {}, input, escapeHtml(text)))
      return element('li', {}, label)
    })
    return element('ul', { class: 'options pictures' }, ...options)
  },
  read: ({ allowsSeveral }, { list, text }) => (allowsSeveral ? list() : text()),
  check({ choices, allowsSeveral }, answer, words) {
    const texts = isText(answer) ? [answer] : textsIn(answer)
    if (!texts || !isUnique(texts)) return words.notAChoice
    if (!texts.every((text) => choices.some((choice) => choice.text === text))) return words.notAChoice
    return texts.length > 1 && !allowsSeveral ? fillIn(words.chooseAtMost, 1) : undefined
  },
}
