import { Notice } from '../page/Notice'

/** The reason why a form was not accepted, at its top. `fields` name controls by their id and link to them. */
export function FormError({
  title,
  fields = [],
}: {
  title: string
  fields?: { id: string; message: string }[]
}) {
  return (
    <Notice tone="danger" title={title} urgent>
      {fields.length > 0 && (
        <ul className="list-disc pl-4">
          {fields.map(({ id, message }) => (
            <li key={id}>
              <a href={`#${id}`} className="underline underline-offset-3">
                {message}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
