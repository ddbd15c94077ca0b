import type { Quirk } from '../quirk.ts';

/** Unpacked there by `install.sh`. */
const ROOT = '/usr/local/lib/rcpt-courier';
const USERS = 500;
const users = Array.from({ length: USERS }, (_, n) => `u${n}:x:${5_000 + n}:4321::/tmp:/bin/false\n`).join('');

/** Courier, whose mailboxes are the system's users: it sleeps 8 s before the first 5xx of a session, then twice as long. */
export const courier: Quirk = {
  name: 'courier',
  programs: [`${ROOT}/usr/sbin/couriertcpd`],
  files: ({ ip, port, folder, domain, host }) => ({
    passwd: `root:x:0:0::/root:/bin/sh\ncourier:x:4321:4321::/var/lib/courier:/bin/false\n${users}`,
    group: 'root:x:0:\ncourier:x:4321:\n',
    // Its paths are compiled in: it sees its own files over the system's, in a mount namespace.
    start: `
set -e
mkdir -p ${folder}/layers
mount -t tmpfs none ${folder}/layers
mkdir ${folder}/layers/upper ${folder}/layers/work
# A layer may not lie within another.
cp -a ${ROOT} ${folder}/layers/courier
mount -t overlay -o lowerdir=${folder}/layers/courier/var/lib:/var/lib none /var/lib
mount -t overlay -o lowerdir=${folder}/layers/courier/usr:/usr none /usr
mount -t overlay -o lowerdir=${folder}/layers/courier/etc:/etc,upperdir=${folder}/layers/upper,workdir=${folder}/layers/work none /etc
mount --bind ${folder}/passwd /etc/passwd
mount --bind ${folder}/group /etc/group
mount -t tmpfs none /run
mount -t tmpfs none /var/lib/courier
cd /var/lib/courier
mkdir -p /run/courier/authdaemon tmp msgs msgq track filters allfilters
touch ${folder}/log
chown -R courier:courier /run/courier . /etc/courier ${folder}/log
cd /etc/courier
chmod 755 .
echo ${host} > me
echo ${domain} > locals
echo ${domain} > esmtpacceptmailfor.dir/default
sed -i 's/^authmodulelist=.*/authmodulelist="authpam"/' authdaemonrc
makeacceptmailfor
makesmtpaccess
/usr/lib/courier/courier-authlib/authdaemond > /dev/null 2>&1 &
. ./esmtpd
export TARPIT=1 BOFHCHECKDNS=0
exec /usr/sbin/couriertcpd -address=${ip} -maxprocs=40 -maxperc=5 -maxperip=5 -nodnslookup -noidentlookup \\
  -user=courier -group=courier -access=/etc/courier/smtpaccess.dat ${port} /bin/sh ${folder}/serve
`,
    serve: `echo connected >> ${folder}/log\nexec /usr/lib/courier/courier/modules/esmtp/courieresmtpd\n`,
  }),
  daemons: ({ folder }) => [{ run: ['sh', `${folder}/start`], logFile: 'log' }],
  connected: /connected/g,
  batches: { 40: 30 },
};
