export { metadata, ResetPage as default } from '#studio/sign-in/ResetPage'
