package slurm

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// daemons are the programs of a cluster of one node.
var daemons = []string{"munged", "mungekey", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"}

// startSlurm starts a Slurm of one node with two processors, on the loopback
// interface, until the end of the test. It needs neither systemd nor control
// groups, but root: munge runs under its own user, and slurmd starts tasks.
func startSlurm(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a throw-away Slurm needs root")
	}
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, d := range daemons {
		if _, err := exec.LookPath(d); err != nil {
			t.Skipf("%s is not installed (Debian: apt-get install slurmctld slurmd slurm-client munge)", d)
		}
	}
	dir, err := os.MkdirTemp("", "kumiko-slurm-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // daemons may still write to it
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	startMunge(t, dir)
	conf := filepath.Join(dir, "slurm.conf")
	for _, sub := range []string{"state", "spool", "log"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, conf, slurmConf(t, dir))
	t.Setenv("SLURM_CONF", conf)
	daemon(t, dir, 0, "slurmctld", "-D", "-f", conf)
	daemon(t, dir, 0, "slurmd", "-D", "-f", conf, "-N", "n1")
	await(t, dir, "sinfo", "idle", "--noheader", "--Node", "--format=%T")
}

// startMunge starts the service authenticating Slurm's parts to each other.
func startMunge(t *testing.T, dir string) {
	t.Helper()
	u, err := user.Lookup("munge")
	if err != nil {
		t.Skip("there is no user munge (Debian: apt-get install munge)")
	}
	uid, _ := strconv.Atoi(u.Uid)
	own := filepath.Join(dir, "munge")
	if err := os.Mkdir(own, 0o711); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(own, "key")
	if out, err := exec.Command("mungekey", "--create", "--keyfile="+key).CombinedOutput(); err != nil {
		t.Fatalf("mungekey: %s", out)
	}
	for _, f := range []string{own, key} {
		if err := os.Chown(f, uid, -1); err != nil {
			t.Fatal(err)
		}
	}
	daemon(t, own, uint32(uid), "munged", "--foreground", "--force", "--key-file="+key, "--socket="+own+"/socket",
		"--pid-file="+own+"/pid", "--seed-file="+own+"/seed", "--log-file="+own+"/munged.log")
	for range 600 {
		if _, err := os.Stat(own + "/socket"); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("munged has made no socket")
}

// daemon starts a program and ends it with the test.
func daemon(t *testing.T, dir string, uid uint32, name string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, name+".out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	if uid != 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
		log.Close()
	})
}

// await waits until a command's output is as wanted.
func await(t *testing.T, dir, name, want string, args ...string) {
	t.Helper()
	var out []byte
	for range 600 {
		out, _ = exec.Command(name, args...).CombinedOutput()
		if strings.TrimSpace(string(out)) == want {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	logs, _ := exec.Command("sh", "-c", "tail -n 20 "+dir+"/*.out "+dir+"/log/*").CombinedOutput()
	t.Fatalf("%s %v: found %q, want %q\n%s", name, args, out, want, logs)
}

// slurmConf is the configuration. Its special settings: credentials expire
// soon, because a requeued task waits for this; a task with exit status 99 is
// requeued.
func slurmConf(t *testing.T, dir string) string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	control, node := freePort(t), freePort(t)
	return fmt.Sprintf(`ClusterName=throwaway
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[4]s/munge/socket,cred_expire=5
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.pid
SlurmctldLogFile=%[4]s/log/slurmctld
SlurmdLogFile=%[4]s/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
JobRequeue=1
RequeueExit=99
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[3]d CPUs=2 RealMemory=512 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, host, control, node, dir)
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// On a real cluster: the first task is killed by its node's owner and requeued
// after it has left its record, the second before it has done anything, the third
// is killed for good. The study has all records but the third's. After another run it has
// the third's too.
func TestAStudyRunsOnSlurmAndRequeuedTasksDoNoHarm(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	startSlurm(t)
	r := newRig(t)
	if err := os.Chmod(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	const once = "if [ $4 = %d ] && mkdir '%s/once-%d' 2>/dev/null; then %s; fi"
	r.program(t,
		fmt.Sprintf(once, 1, r.dir, 1, "exit 99")+"\n"+fmt.Sprintf(once, 2, r.dir, 2, "kill -9 $$"),
		fmt.Sprintf(once, 0, r.dir, 0, "exit 99"))
	var notes []string
	r.Note = func(text string) { notes = append(notes, text) }
	out := r.do(t)
	if out.Done != 7 || len(out.Missing) != 1 || len(out.Failed) != 0 {
		t.Errorf("%+v", out)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], ": 6 tasks") {
		t.Errorf("notes %q", notes)
	}
	logs, err := filepath.Glob(filepath.Join(r.Dir, "log", "*_1.log"))
	if err != nil || len(logs) != 1 {
		t.Errorf("logs of task 1: %v", logs)
	}
	if out := r.do(t); out.Done != 8 {
		t.Errorf("then %+v", out)
	}
	if got, want := records(t, r.Spec, r.Store), local(t, r.Spec); !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}
