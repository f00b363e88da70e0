import type { LiveBlockProps } from '../../posts/PostBody'
import { theSite } from './open-site'
import { SiteForm } from './SiteForm'
import { wordsIn } from './words'

export function SignUp({ attributes, children }: LiveBlockProps) {
  const words = wordsIn(theSite()?.language ?? '')
  const { name = 'newsletter', button = words.signUp, thanks = words.thanks } = attributes
  return (
    <SiteForm kind="signup" name={name} thanks={thanks}>
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
    </SiteForm>
  )
}
