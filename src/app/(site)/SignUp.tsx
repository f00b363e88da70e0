import type { LiveBlockProps } from '#posts/PostBody'
import { currentSite } from './open-site'
import { VisitorForm } from './VisitorForm'
import { translationFor } from './translations'

export function SignUp({ attributes, children }: LiveBlockProps) {
  const words = translationFor(currentSite())
  const { name = 'newsletter', button = words.signUp, thanks = words.thanks } = attributes
  return (
    <VisitorForm kind="signup" name={name} thanks={thanks}>
      {children}
      <div className="site-form-row">
        <label className="unseen" htmlFor={`email-${name}`}>
          {words.email}
        </label>
        <input
          id={`email-${name}`}
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          placeholder={words.email}
        />
        <button type="submit">{button}</button>
      </div>
    </VisitorForm>
  )
}
