export { metadata, SignInPage as default } from '#studio/sign-in/SignInPage'
