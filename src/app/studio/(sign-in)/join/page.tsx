export { metadata, JoinPage as default } from '#studio/sign-in/JoinPage'
