import { Notice } from '#ui/page/Notice'

/** Warns that the operator has to configure a mail server. Each page says what holds until then. */
export function NoMailServer({ untilThen }: { untilThen: string }) {
  return (
    <Notice tone="warning" title="E-mail isn’t set up">
      Set <code>TILTH_SMTP</code> (such as smtp://user:password@smtp.example.com:587) and{' '}
      <code>TILTH_MAIL_FROM</code> (such as Tilth &lt;tilth@example.com&gt;), then restart Tilth. {untilThen}
    </Notice>
  )
}
