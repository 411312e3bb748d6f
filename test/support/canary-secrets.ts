/**
 * Made-up secrets, one of each kind that is known by its form: `text` as somebody would write it,
 * `secret` the part that must not be found. They are put together here, so that no scanner of this
 * repository takes them for real ones.
 */
export interface Canary {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}

const LETTERS = 'Qm7Zx2Kp9Lr4Tn8Vb3Wd6Hs1Jf5Gc0Ya';

function letters(count: number, alphabet = LETTERS): string {
  return alphabet.repeat(Math.ceil(count / alphabet.length)).slice(0, count);
}

const hex = (count: number): string => letters(count, '0a1b2c3d4e5f69788796');
const upper = (count: number): string => letters(count, 'Q7Z2K9L4T8V3W6H1');

function alone(rule: string, ...parts: readonly string[]): Canary {
  const secret = parts.join('');
  return { rule, text: secret, secret };
}

function within(rule: string, before: string, secret: string, behind = ''): Canary {
  return { rule, text: `${before}${secret}${behind}`, secret };
}

const PRIVATE_KEY = [
  `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
  letters(64),
  letters(40),
  `-----END RSA ${'PRIVATE'} KEY-----`,
].join('\n');

export const canaries: readonly Canary[] = [
  alone('anthropic', 'sk-ant', '-api03-', letters(95)),
  alone('openrouter', 'sk-or', '-v1-', hex(64)),
  alone('openai', 'sk-', 'proj-', letters(48)),
  alone('google-api-key', 'AI', 'za', letters(35)),
  alone('hugging-face', 'hf', '_', letters(34)),
  alone('replicate', 'r8', '_', letters(37)),
  alone('groq', 'gsk', '_', letters(52)),
  alone('xai', 'xai', '-', letters(80)),
  alone('perplexity', 'pplx', '-', letters(48)),
  alone('nvidia', 'nvapi', '-', letters(64)),
  alone('langsmith', 'lsv2', '_pt_', hex(32), '_', hex(10)),
  alone('tavily', 'tvly', '-', letters(32)),
  alone('pinecone', 'pcsk', '_', letters(66)),
  alone('elevenlabs', 'sk', '_', hex(48)),
  alone('holdfast', 'hf', '_acme.', hex(16), '_', letters(43)),
  alone('aws-access-key', 'AK', 'IA', upper(16)),
  alone('google-oauth', 'GOC', 'SPX-', letters(28)),
  alone('azure-client-secret', letters(3), '8Q', '~', letters(33)),
  alone('alibaba', 'LT', 'AI', letters(20)),
  alone('tencent', 'AK', 'ID', letters(32)),
  alone('digitalocean', 'dop', '_v1_', hex(64)),
  alone('heroku', 'HRKU', '-', letters(60)),
  alone('fly', 'fm2', '_', letters(120)),
  alone('netlify', 'nfp', '_', letters(40)),
  alone('databricks', 'da', 'pi', hex(32)),
  alone('planetscale', 'pscale', '_tkn_', letters(43)),
  alone('supabase', 'sbp', '_', hex(40)),
  alone('github', 'gh', 'p_', letters(36)),
  alone('github-fine-grained', 'github', '_pat_', letters(82)),
  alone('gitlab', 'gl', 'pat-', letters(20)),
  alone('npm', 'np', 'm_', letters(36)),
  alone('pypi', 'py', 'pi-', letters(120)),
  alone('rubygems', 'rubygems', '_', hex(48)),
  alone('docker', 'dckr', '_pat_', letters(27)),
  alone('buildkite', 'bkua', '_', hex(40)),
  alone('postman', 'PM', 'AK-', hex(24), '-', hex(34)),
  alone('sentry', 'sntry', 's_', letters(120)),
  alone('new-relic', 'NR', 'AK-', upper(27)),
  alone('grafana', 'gl', 'sa_', letters(32), '_', hex(8)),
  alone('dynatrace', 'dt0', 'c01.', upper(24), '.', upper(64)),
  alone('vault', 'hv', 's.', letters(90)),
  alone('terraform', letters(14), '.atlas', 'v1.', letters(67)),
  alone('pulumi', 'pu', 'l-', hex(40)),
  alone('doppler', 'dp', '.pt.', letters(43)),
  alone('slack', 'xo', 'xb-', '123456789012-1234567890123-', letters(24)),
  alone('telegram', '1234567890', ':AA', letters(33)),
  alone('discord', 'M', letters(24), '.', letters(6), '.', letters(30)),
  alone('twilio', 'S', 'K', hex(32)),
  alone('sendgrid', 'S', 'G.', letters(22), '.', letters(43)),
  alone('mailgun', 'ke', 'y-', hex(32)),
  alone('mailchimp', hex(32), '-u', 's14'),
  alone('linear', 'lin', '_api_', letters(40)),
  alone('notion', 'nt', 'n_', letters(46)),
  alone('figma', 'fi', 'gd_', letters(40)),
  alone('airtable', 'p', 'at', letters(14), '.', hex(64)),
  alone('atlassian', 'ATA', 'TT3', letters(120)),
  alone('stripe', 'sk', '_live_', letters(24)),
  alone('square', 'sq', '0atp-', letters(22)),
  alone('shopify', 'sh', 'pat_', hex(32)),
  alone('easypost', 'EZ', 'AK', letters(54)),
  alone('shippo', 'shippo', '_live_', hex(40)),
  alone('jwt', 'ey', 'J', letters(30), '.ey', 'J', letters(60), '.', letters(43)),
  alone('age', 'AGE-SECRET', '-KEY-1', upper(58)),
  alone('1password', 'ops', '_eyJ', letters(260)),
  alone('private-key', PRIVATE_KEY),
  within('connection-string', 'postgres://app:', letters(18), '@db.example.com:5432/app'),
  within('azure-storage', 'AccountName=a;AccountKey=', `${letters(86)}==`, ';'),
  within('azure-sas', 'https://a.blob.core.windows.net/b?sv=2024&sig=', letters(44)),
  within(
    'slack-webhook',
    'https://hooks.slack.com/services/',
    `T${upper(8)}/B${upper(8)}/${letters(24)}`,
  ),
  within(
    'discord-webhook',
    'https://discord.com/api/webhooks/',
    `123456789012345678/${letters(68)}`,
  ),
  within('authorization-header', 'Authorization: Bearer ', letters(40)),
  within('aws-secret-key', 'aws_secret_access_key = ', letters(40)),
];

/** All of them, a line each. */
export const ALL = canaries.map(({ text }) => `${text}\n`).join('');
/** What must stand nowhere; of a key of several lines each long one. */
export const SECRETS = canaries.flatMap(({ secret }) =>
  secret.split('\n').filter((line) => line.length >= 16 && !line.startsWith('-----')),
);

/** Which of them stand in it. */
export function leaked(bytes: Buffer | string): readonly string[] {
  return SECRETS.filter((secret) => bytes.includes(secret));
}
