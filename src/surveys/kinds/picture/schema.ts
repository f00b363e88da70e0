import { z } from 'zod'
import { flag, idOrMade, imageUrl, requiredText } from '#surveys/internal/field-schemas'
import { choicesOf, questionFields, withMadeId } from '../internal/question-fields'

const pictureChoice = z
  .strictObject({
    id: idOrMade,
    /** The alternative text of the picture. */
    text: requiredText('Write what the picture shows.'),
    imageUrl,
  })
  .overwrite(withMadeId)

export const picture = z.strictObject({
  kind: z.literal('picture'),
  ...questionFields,
  choices: choicesOf(pictureChoice, 'choices', 2),
  allowsSeveral: flag.default(false),
})
