export { metadata, ForgotPage as default } from '#studio/sign-in/ForgotPage'
